/** A JSON column arrives as text from SQLite, and parsed from PostgreSQL. */
export function parseJson<T extends object>(value: T | string): T {
  return typeof value === "string" ? JSON.parse(value) : value
}
