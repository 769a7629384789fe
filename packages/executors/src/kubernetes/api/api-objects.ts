import { type Static, Type } from "@sinclair/typebox"

// The fields of objects of an API server that we read. Fields that we do not read may have any form.

const Metadata = Type.Object({
  name: Type.String(),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  creationTimestamp: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  deletionTimestamp: Type.Optional(Type.String()),
})

const Condition = Type.Object({
  type: Type.String(),
  status: Type.String(),
  reason: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

export const KubernetesJob = Type.Object({
  metadata: Metadata,
  spec: Type.Optional(Type.Object({ suspend: Type.Optional(Type.Boolean()) })),
  status: Type.Optional(
    Type.Object({
      conditions: Type.Optional(Type.Union([Type.Array(Condition), Type.Null()])),
      /** Text ranges, such as `0-4,7`. */
      completedIndexes: Type.Optional(Type.String()),
      failedIndexes: Type.Optional(Type.String()),
    }),
  ),
})
export type KubernetesJob = Static<typeof KubernetesJob>

const StateReason = Type.Object({ reason: Type.Optional(Type.String()), message: Type.Optional(Type.String()) })

export const KubernetesPod = Type.Object({
  metadata: Metadata,
  spec: Type.Optional(Type.Object({ nodeName: Type.Optional(Type.String()) })),
  status: Type.Optional(
    Type.Object({
      phase: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      conditions: Type.Optional(Type.Union([Type.Array(Condition), Type.Null()])),
      containerStatuses: Type.Optional(
        Type.Union([
          Type.Array(
            Type.Object({
              state: Type.Optional(
                Type.Object({ waiting: Type.Optional(StateReason), terminated: Type.Optional(StateReason) }),
              ),
            }),
          ),
          Type.Null(),
        ]),
      ),
    }),
  ),
})
export type KubernetesPod = Static<typeof KubernetesPod>

const List = <T extends typeof KubernetesJob | typeof KubernetesPod>(item: T) =>
  Type.Object({
    metadata: Type.Optional(Type.Object({ continue: Type.Optional(Type.String()) })),
    items: Type.Union([Type.Array(item), Type.Null()]),
  })
export const JobList = List(KubernetesJob)
export const PodList = List(KubernetesPod)

/** The answer of an API server that refuses a request. */
export const StatusObject = Type.Object({
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      kind: Type.Optional(Type.String()),
      causes: Type.Optional(
        Type.Array(Type.Object({ field: Type.Optional(Type.String()), message: Type.Optional(Type.String()) })),
      ),
    }),
  ),
})
export type StatusObject = Static<typeof StatusObject>
