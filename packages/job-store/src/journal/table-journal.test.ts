import { AssayError } from "@assay/schemas"
import { NO_PATIENCE } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Database, Queries } from "@assay/database"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB, rowAt, rowsOf } from "../testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { type JournalRecord, recordsOfJob } from "./journal-records.ts"
import { openTableJournal } from "./table-journal.ts"

type Work<T> = (queries: Queries) => Promise<T>

describe.each(DATABASE_KINDS)("a journal in the database on %s", (kind) => {
  let test: TestRegistry
  let database: Database
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    database = await test.openTables()
  })
  afterAll(() => test.remove())

  const open = async (whileHeld: <T>(work: Work<T>) => Promise<T | undefined>) => {
    const { id } = await test.registry.jobs.create(JOB)
    const records = recordsOfJob(id)
    const add = (record: JournalRecord) =>
      whileHeld(async (queries): Promise<true> => {
        await records.add(queries, record)
        return true
      })
    return openTableJournal({ database, outages: NO_PATIENCE, jobId: id, records, add })
  }
  const unavailable = () => new AssayError("unavailable", "The database does not answer.")

  it("stores a record once if it is written again after a lost response", async () => {
    let committed = 0
    const journal = await open(async (work) => {
      const done = await database.write(work)
      if (++committed === 1) throw unavailable()
      return done
    })
    journal.append(rowAt(0))
    await journal.flush()
    expect(committed).toBe(1)
    journal.append(rowAt(1))
    await journal.close()
    expect(await rowsOf(journal)).toEqual([rowAt(0), rowAt(1)])
  })

  it("reports any other failure on flush", async () => {
    const journal = await open(() => Promise.reject(new AssayError("disk_full", "The disk of the database is full.")))
    journal.append(rowAt(0))
    await expect(journal.flush()).rejects.toMatchObject({ code: "disk_full" })
    journal.append(rowAt(1))
    await expect(journal.flush()).rejects.toMatchObject({ code: "disk_full" })
  })

  it("makes a fast writer wait", async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const journal = await open(async (work) => {
      await held
      return database.write(work)
    })
    const large = { ...rowAt(0), item: { text: "x".repeat(1_000_000) } }
    for (let row = 0; row < 6; row++) journal.append(large)
    let isDrained = false
    const drained = journal.drained().then(() => (isDrained = true))
    await Promise.resolve()
    expect(isDrained).toBe(false)
    release()
    await drained
    await journal.close()
    expect(await rowsOf(journal)).toHaveLength(6)
  })
})
