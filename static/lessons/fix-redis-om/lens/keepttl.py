import redis


def use_dark_theme(r: redis.Redis) -> bool:
    """False where the session has ended."""
    session = r.get("session")  #@1
    if session is None:
        return False
    if isinstance(session, bytes):
        session = session.decode()
    return bool(r.set("session", session + ",dark", xx=True, keepttl=True))  #@2
