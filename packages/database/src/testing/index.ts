export { SQLITE_DIALECT } from "../sqlite/dialect.ts"
export { createTestDatabase, type DatabaseKind, DATABASE_KINDS, type TestDatabase } from "./databases.ts"
export { insertFilesets, testFileset } from "./test-filesets.ts"
