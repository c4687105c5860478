"""Tocsin: initiative at the terminal."""
