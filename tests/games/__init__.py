"""Tests of single games through the Python interface."""
