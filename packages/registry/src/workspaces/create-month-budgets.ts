import {
  type BudgetLimits,
  formatTimestamp,
  reachedLimit,
  type Spending,
  type WorkspaceBudget,
  type WorkspaceUsage,
} from "@assay/schemas"
import { type Database, type Queries, type VisibleWorkspaces, checkWorkspace } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { endOfMonth, monthOf, startOfMonth } from "./calendar-month.ts"
import type { BudgetState, Spent, WorkspaceBudgets } from "./month-budgets.ts"

const NOTHING: Spent = {
  requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  unpriced_tokens: 0,
  cost: 0,
  currency: "",
}

export function createBudgets({ database, now }: Pick<RegistryContext, "database" | "now">): WorkspaceBudgets {
  const monthNow = () => monthOf(now())

  /** Changes the limits of a workspace, and returns its budget. */
  async function change(workspace: string, work: (queries: Queries) => Promise<unknown>): Promise<WorkspaceBudget> {
    const month = monthNow()
    const state = await database.write(async (queries) => {
      await checkWorkspace(queries, workspace)
      await work(queries)
      return readState(queries, workspace, month)
    })
    return budgetOf(workspace, state)
  }

  return {
    async get(workspace) {
      const month = monthNow()
      const state = await database.read(async (queries) => {
        await checkWorkspace(queries, workspace)
        return readState(queries, workspace, month)
      })
      return budgetOf(workspace, state)
    },

    set(workspace, { max_requests = null, max_tokens = null, max_cost = null }) {
      const limits = { max_requests, max_tokens, max_cost }
      return change(workspace, (queries) =>
        queries
          .insertInto("workspace_budgets")
          .values({ workspace, ...limits })
          .onConflict((conflict) => conflict.column("workspace").doUpdateSet(limits))
          .execute(),
      )
    },

    remove: (workspace) =>
      change(workspace, (queries) =>
        queries.deleteFrom("workspace_budgets").where("workspace", "=", workspace).execute(),
      ),

    list: (months, visible) => listSpending(database, { month: monthNow(), months, visible }),

    async spend(workspace, spent) {
      const month = monthNow()
      if (isNothing(spent)) return database.read((queries) => readState(queries, workspace, month))
      // The next record follows within a second, so that it does not have to wait for the disk.
      return database.write(
        async (queries) => {
          await addUsage(queries, { workspace, month, ...spent })
          return readState(queries, workspace, month)
        },
        { durable: false },
      )
    },
  }
}

function isNothing({ requests, prompt_tokens, completion_tokens }: Spent): boolean {
  return requests + prompt_tokens + completion_tokens === 0
}

/** Adds to the usage of a month, unless the workspace was removed. */
async function addUsage(
  queries: Queries,
  row: Spent & { readonly workspace: string; readonly month: string },
): Promise<void> {
  const found = await queries
    .selectFrom("workspaces")
    .select("name")
    .where("name", "=", row.workspace)
    .executeTakeFirst()
  if (found === undefined) return
  const { currency } = row
  await queries
    .insertInto("workspace_usage")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["workspace", "month"]).doUpdateSet((old) => {
        const sum = (column: Exclude<keyof Spent, "currency">) =>
          old(`workspace_usage.${column}`, "+", old.ref(`excluded.${column}`))
        return {
          requests: sum("requests"),
          prompt_tokens: sum("prompt_tokens"),
          completion_tokens: sum("completion_tokens"),
          unpriced_tokens: sum("unpriced_tokens"),
          cost: sum("cost"),
          ...(currency === "" ? {} : { currency }),
        }
      }),
    )
    .execute()
}

async function readState(queries: Queries, workspace: string, month: string): Promise<BudgetState> {
  const budget = await queries
    .selectFrom("workspace_budgets")
    .select(["max_requests", "max_tokens", "max_cost"])
    .where("workspace", "=", workspace)
    .executeTakeFirst()
  const usage = await queries
    .selectFrom("workspace_usage")
    .select(["requests", "prompt_tokens", "completion_tokens", "unpriced_tokens", "cost", "currency"])
    .where((row) => row.and({ workspace, month }))
    .executeTakeFirst()
  const limits = Object.entries(budget ?? {}).filter(([, limit]) => limit !== null)
  return { month, limits: Object.fromEntries(limits) as BudgetLimits, spent: { ...NOTHING, ...usage } }
}

interface SpendingQuery {
  readonly month: string
  readonly months: number
  readonly visible: VisibleWorkspaces
}

async function listSpending(database: Database, { month, months, visible }: SpendingQuery): Promise<Spending> {
  const first = monthOf(startOfMonth(month, months - 1))
  const rows = await database.read((queries) => {
    const all = queries.selectFrom("workspace_usage").selectAll().where("month", ">=", first)
    // No workspace has an empty name, and a list of names can't be empty.
    const seen = visible === "all" ? all : all.where("workspace", "in", ["", ...visible])
    return seen.orderBy("month", "desc").orderBy("workspace").execute()
  })
  return {
    data: rows.map(({ workspace, month: of, ...spent }) => ({ workspace, month: of, ...usageOf(spent) })),
    month,
    started_at: formatTimestamp(startOfMonth(month)),
    resets_at: formatTimestamp(endOfMonth(month)),
  }
}

function usageOf({ cost, currency, ...usage }: Spent): WorkspaceUsage {
  // A sum of many small amounts has errors of rounding.
  return { ...usage, cost: currency === "" ? null : { amount: Number(cost.toFixed(9)), currency } }
}

function budgetOf(workspace: string, { month, limits, spent }: BudgetState): WorkspaceBudget {
  return {
    workspace,
    month,
    resets_at: formatTimestamp(endOfMonth(month)),
    limits,
    usage: usageOf(spent),
    exhausted: reachedLimit(limits, spent) ?? null,
  }
}
