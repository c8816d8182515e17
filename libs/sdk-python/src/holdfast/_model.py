"""The base of every model of the API."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A shape of the API. A member that this client does not know is kept as an attribute, so that newer servers serve older clients."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), defer_build=True)
