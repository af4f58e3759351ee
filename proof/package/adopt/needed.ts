/** Programs of Debian's packages `bsdutils` and `postgresql-client`: a terminal, and what people type SQL into. */
export const NEEDED = ["script", "psql"];
