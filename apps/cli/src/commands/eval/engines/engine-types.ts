import type { engineRuns } from "@assay/executors"
import type { cutRuns } from "@assay/local"

/** A run and the engines that execute it. */
export type EngineRun = ReturnType<typeof engineRuns.open>
/** The parts of the process that engines use. */
export type EnginePorts = Parameters<typeof engineRuns.open>[1]
/** The request of a user to an engine. */
export type EngineRequest = Parameters<typeof engineRuns.render>[1]
/** How a run is. */
export type EngineRunState = Awaited<ReturnType<typeof engineRuns.look>>
/** How a run shows itself to those who follow it. */
export type FollowedRun = EngineRunState["run"]
/** How following a run ended. */
export type FollowEnd = Awaited<ReturnType<typeof engineRuns.follow>>
/** How an executor is used. */
export type ExecutorProfile = Awaited<ReturnType<typeof engineRuns.profile>>
/** Everything that the processes of a run have to know. */
export type ShardPlan = Awaited<ReturnType<typeof cutRuns.plan>>
/** The end of a merge. */
export type MergedRun = Awaited<ReturnType<typeof cutRuns.merge>>
