"""Tocsin: initiative at the terminal."""

VERSION = "1.1.1"
