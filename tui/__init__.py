"""Tocsin: initiative at the terminal."""

VERSION = "0.1.0"
