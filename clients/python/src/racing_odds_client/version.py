"""The version of the OpenAPI document from which the package is made."""

__version__ = "0.1.0"
