"""Tocsin: initiative at the terminal."""

VERSION = "1.0.1"
