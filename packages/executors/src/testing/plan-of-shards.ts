import type { ShardPlan } from "../run/shard-plan.ts"

/** Returns the plan of a job without data, for tests that run none of its shards. */
export function planOfShards(
  folder: string,
  { shards, atOnce }: { readonly shards: ShardPlan["shards"]; readonly atOnce: number },
): Omit<ShardPlan, "version"> {
  return {
    id: "eval-1",
    name: "words",
    created_at: 0,
    job: { namespace: "default", target: { type: "rows", rows: [{}] }, config: { type: "custom" } },
    folder,
    shards,
    at_once: atOnce,
    datasets: [],
    labels: {},
    guardrails: {},
    pins: [],
    gates: [],
  }
}
