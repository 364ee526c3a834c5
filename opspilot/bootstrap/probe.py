from __future__ import annotations

import http.client
from urllib.parse import urlsplit


def http_status(url: str, *, timeout: float = 5.0) -> int:
    """0 when nobody answers. Goes straight to the address: no proxy from the environment."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        connection.request("GET", parts.path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
