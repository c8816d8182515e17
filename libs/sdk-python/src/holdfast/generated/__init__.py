"""What is generated from the description of the API."""
