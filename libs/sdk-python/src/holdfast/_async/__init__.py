"""The asynchronous client. The synchronous one is made of these files."""
