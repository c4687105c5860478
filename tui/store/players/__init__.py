"""Publish the pages of players' terminals, and list the viewers that watch."""
