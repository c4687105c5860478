"""The modes: each is one file, with what keys do in it and what it shows."""
