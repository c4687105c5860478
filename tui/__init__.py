"""Tocsin: initiative at the terminal."""

VERSION = "2.0.0"
