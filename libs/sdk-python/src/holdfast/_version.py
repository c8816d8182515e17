"""The version of this package."""

version = "0.1.0"
