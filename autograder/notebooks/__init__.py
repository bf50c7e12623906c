"""Notebooks that strangers wrote: found, read and put in order without being trusted."""
