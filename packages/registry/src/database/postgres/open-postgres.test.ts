import { sql } from "kysely"
import { expect, it } from "vitest"
import { createTestRegistry } from "../../testing/test-registry.ts"

it("a transaction that is left alone gives its locks back to other servers", async () => {
  const test = await createTestRegistry("postgres")
  const database = await test.openTables()
  const { rows } = await database.read((queries) => sql`show idle_in_transaction_session_timeout`.execute(queries))
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }])
  await test.remove()
})
