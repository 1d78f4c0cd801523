import base64
import hashlib
import hmac
import re
import time


def verify_notification(raw_body: bytes, headers: dict, secret: str) -> bool:
    """raw_body: the bytes as they came. headers: with names in lower case."""
    message_id = headers.get("webhook-id") or ""
    timestamp = headers.get("webhook-timestamp") or ""
    # [0-9], since isdigit() and \d take digits that int() does not.
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    # Headers may hold any letters: compare bytes, as text beyond ASCII makes compare_digest raise.
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "surrogateescape") + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = (headers.get("webhook-signature") or "").encode("utf-8", "replace").split(b" ")
    return any(hmac.compare_digest(expected, one) for one in given)
