// For the type of `inject`.
/// <reference types="@assay/testkit/postgres-setup" />
import { createDatabase } from "@assay/testkit"
import { type JobRegistry, openJobRegistry } from "@assay/evaluation/testing"
import type { Registry } from "@assay/registry"
import type { PgBoss } from "pg-boss"
import { inject } from "vitest"
import { openBoss } from "../queue/open-boss.ts"

/** A registry on a PostgreSQL database of its own, and the queue there. */
export interface SharedJobs extends JobRegistry {
  readonly boss: PgBoss
  /** Opens the queue for another server. */
  openBoss(registry: Registry): Promise<PgBoss>
}

/** The name of a database that has only its tables. Creating them takes longer than most tests. */
const TEMPLATE = await createTemplate()

async function createTemplate(): Promise<string> {
  const url = await createDatabase(inject("postgresUrl"))
  await using _test = await openOn(url)
  return new URL(url).pathname.slice(1)
}

/** Opens a registry and its queue on a new database. */
export async function openSharedJobs(): Promise<SharedJobs> {
  return openOn(await createDatabase(inject("postgresUrl"), TEMPLATE))
}

async function openOn(url: string): Promise<SharedJobs> {
  const test = await openJobRegistry(url)
  const bosses: PgBoss[] = []
  const open = async ({ sharedDatabase }: Registry) => {
    if (sharedDatabase === undefined) throw new Error("The database belongs to one server.")
    const boss = await openBoss(sharedDatabase, (error) => {
      throw error
    })
    bosses.push(boss)
    return boss
  }
  return {
    ...test,
    boss: await open(test.registry),
    openBoss: open,
    async [Symbol.asyncDispose]() {
      for (const boss of bosses) await boss.stop({ graceful: false })
      await test[Symbol.asyncDispose]()
    },
  }
}
