import { type Static, Type } from "@sinclair/typebox"

const closed = { additionalProperties: false } as const
const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const Name = Type.String({ minLength: 1, maxLength: 253 })
const id = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }))

const Quantities = Type.Record(Type.String(), Type.Union([Type.String({ minLength: 1 }), Type.Number({ minimum: 0 })]))
const Resources = Type.Object(
  { requests: Type.Optional(Quantities), limits: Type.Optional(Quantities) },
  { description: "Resources of one container, as Kubernetes writes them.", ...closed },
)

const Toleration = Type.Object(
  {
    key: Type.Optional(Type.String()),
    operator: Type.Optional(Type.Union([Type.Literal("Exists"), Type.Literal("Equal")])),
    value: Type.Optional(Type.String()),
    effect: Type.Optional(
      Type.Union([Type.Literal("NoSchedule"), Type.Literal("PreferNoSchedule"), Type.Literal("NoExecute")]),
    ),
    tolerationSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
)

const Volume = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 253, description: "Name of a PersistentVolumeClaim." }),
    path: Type.String({ pattern: "^/[^:]*$", description: "Absolute path in the container. The run is below it." }),
    sub_path: Type.Optional(Type.String({ minLength: 1, description: "Path in the volume." })),
    read_only: Type.Optional(Type.Boolean()),
  },
  closed,
)

const EnvFrom = Type.Union([
  Type.Object({ secret: Name, prefix: Type.Optional(Type.String()) }, closed),
  Type.Object({ config_map: Name, prefix: Type.Optional(Type.String()) }, closed),
])

/** How the shards of a run are executed on Kubernetes. Values of secrets are never part of it, only their names. */
export const KubernetesProfile = Type.Object(
  {
    context: Type.Optional(
      Type.String({ minLength: 1, description: "Context of the kubeconfig. Default: the current one." }),
    ),
    namespace: Type.Optional(
      Type.String({ minLength: 1, maxLength: 63, description: "Default: that of the context, or `default`." }),
    ),
    image: Type.String({ minLength: 1, description: "Image with the program, best with its digest." }),
    image_pull_policy: Type.Optional(
      Type.Union([Type.Literal("Always"), Type.Literal("IfNotPresent"), Type.Literal("Never")]),
    ),
    image_pull_secrets: Type.Optional(Type.Array(Name)),
    service_account: Type.Optional(Name),
    service_account_token: Type.Optional(
      Type.Boolean({ description: "Whether pods get the token of their service account. Default false." }),
    ),
    queue: Type.Optional(
      Type.String({ minLength: 1, maxLength: 63, description: "Local queue of Kueue, which starts the Jobs." }),
    ),
    resources: Type.Optional(Resources),
    node_selector: Type.Optional(texts("Labels of the nodes.")),
    tolerations: Type.Optional(Type.Array(Toleration)),
    priority_class: Type.Optional(Name),
    labels: Type.Optional(texts("Labels of Jobs and pods.")),
    annotations: Type.Optional(texts("Annotations of Jobs and pods.")),
    environment: Type.Optional(texts("Variables with values that are not secrets.")),
    secret_environment: Type.Optional(
      Type.Record(Type.String(), Type.Object({ secret: Name, key: Name }, closed), {
        description: "Variables with values of secrets.",
      }),
    ),
    environment_from: Type.Optional(Type.Array(EnvFrom)),
    volumes: Type.Optional(Type.Array(Volume, { description: "None for a run in a bucket." })),
    pod_retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          "How often Kubernetes starts a failed shard again. A disruption of its pod does not count. Default 3.",
      }),
    ),
    max_failed_shards: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: "Stop all shards if more have failed." }),
    ),
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 0, description: "Seconds until an ended Job is deleted. Default 86,400." }),
    ),
    deadline_seconds: Type.Optional(
      Type.Integer({ minimum: 1, description: "Seconds until the shards of a submission are stopped. Default: none." }),
    ),
    grace_seconds: Type.Optional(
      Type.Integer({ minimum: 0, description: "Seconds that a stopped process has to end. Default 30." }),
    ),
    merge_wait_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Minutes without progress of any shard after which the merge gives up. Default 60.",
      }),
    ),
    run_as_user: id("Default 65532, the user of our image."),
    run_as_group: id("Default: the user's number."),
    fs_group: id("Group of the volumes. Default: the group."),
    security: Type.Optional(
      Type.Union([Type.Literal("restricted"), Type.Literal("none")], {
        description:
          "`restricted` (default): the pods pass the restricted Pod Security Standard. `none`: no security context, as OpenShift assigns one.",
      }),
    ),
  },
  { $id: "KubernetesProfile", title: "kubernetes", ...closed },
)
export type KubernetesProfile = Static<typeof KubernetesProfile>
