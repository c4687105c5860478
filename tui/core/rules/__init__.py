"""Decide which events follow from an action, and define the interface of an initiative system."""
