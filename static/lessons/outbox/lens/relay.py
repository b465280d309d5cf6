import sqlite3

import redis


def relay(r: redis.Redis, db: sqlite3.Connection) -> None:
    """Returns when no note is left. A scheduler calls it again a second later."""  #@9
    while (order := r.lindex("outbox", 0)) is not None:  #@2-3
        if isinstance(order, bytes):  # without decode_responses
            order = order.decode()
        try:
            with db:  # ends with COMMIT
                db.execute("INSERT INTO orders VALUES (?, 'open')", (order,))  #@4
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorname != "SQLITE_CONSTRAINT_PRIMARYKEY":  #@5
                raise  # the note stays, for the next call
        r.lrem("outbox", 1, order)  #@6
