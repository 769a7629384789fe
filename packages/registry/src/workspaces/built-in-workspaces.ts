import { BUILT_IN_WORKSPACES } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"

/** Creates the built-in workspaces that are missing. */
export async function makeBuiltInWorkspaces({
  database,
  now,
  newId,
}: Pick<RegistryContext, "database" | "now" | "newId">): Promise<void> {
  const time = now()
  const rows = BUILT_IN_WORKSPACES.map((name) => ({
    id: newId("workspace"),
    name,
    description: "",
    created_at: time,
    updated_at: time,
  }))
  await database.write((queries) =>
    queries
      .insertInto("workspaces")
      .values(rows)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute(),
  )
}

export function isBuiltIn(workspace: string): boolean {
  return BUILT_IN_WORKSPACES.some((name) => name === workspace)
}
