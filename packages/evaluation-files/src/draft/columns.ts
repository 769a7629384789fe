/** The columns of a file with the values of its first rows. */
export type Columns = ReadonlyMap<string, readonly unknown[]>
