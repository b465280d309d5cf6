import redis


def note_seen(r: redis.Redis) -> bool:
    """False where the session has ended."""
    session = r.get("session")  #@1
    if session is None:
        return False
    if isinstance(session, bytes):
        session = session.decode()
    # None where the key is gone, and True otherwise.
    return bool(r.set("session", session + ",seen", xx=True, keepttl=True))  #@3
