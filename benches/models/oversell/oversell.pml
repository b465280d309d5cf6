/* Model A in Promela, for SPIN beside our own search: N clients, each R rounds of GET stock, and if
 * there is some, SET stock, INCR sold. A command is one step (d_step), what lies between two
 * commands belongs to the one before, and a local that will not be read again is 0. So the states
 * are those of buy.lua, to the last one. */
#ifndef N
#define N 3
#endif
#ifndef R
#define R 1
#endif

mtype = { Get, Set, Incr }

byte stock = 3;
byte sold = 0;

active [N] proctype client() {
    mtype next = Get;
    byte round = 0;
    byte seen = 0;
end:
    do
    :: d_step {
        next == Get && round < R ->
        seen = stock;
        if
        :: seen > 0 -> next = Set
        :: else -> round++
        fi
    }
    :: d_step { next == Set -> stock = seen - 1; seen = 0; next = Incr }
    :: d_step { next == Incr -> sold++; round++; next = Get }
    od
}
