import { readFileSync } from "node:fs"
import { Value } from "@sinclair/typebox/value"
import { Job } from "kubernetes-models/batch/v1"
import { describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import type { ShardWork } from "../executor.ts"
import { mergeJob, shardsJob, submittedIndexes } from "./job-manifests.ts"
import { jobBaseName, mergeJobName, shardsJobName, submissionNumber } from "./job-names.ts"
import { KubernetesProfile } from "./kubernetes-profile.ts"
import { renderManifests } from "./render-manifests.ts"

const work: ShardWork = {
  run: "s3://bucket/run",
  id: "eval-3f9a0c11d2aa",
  name: "MMLU (5-shot)",
  count: 8,
  indexes: [0, 1, 2, 3, 4, 5, 6, 7],
  atOnce: 3,
  program: ["assay"],
  options: ["--key-host", "models.example"],
  merges: true,
  retries: 2,
}

const full: KubernetesProfile = {
  namespace: "evaluations",
  image: "registry.example/assay@sha256:0000000000000000000000000000000000000000000000000000000000000000",
  image_pull_policy: "IfNotPresent",
  image_pull_secrets: ["registry"],
  service_account: "assay",
  queue: "team",
  resources: { requests: { cpu: 1, memory: "1Gi" }, limits: { memory: "2Gi" } },
  node_selector: { pool: "cpu" },
  tolerations: [{ key: "spot", operator: "Exists", effect: "NoSchedule" }],
  priority_class: "low",
  labels: { team: "nlp", "app.kubernetes.io/name": "mine" },
  annotations: { "example.com/cost": "a: b # c" },
  environment: { HOST: "on", LEVEL: "1e3" },
  secret_environment: { MODEL_KEY: { secret: "models", key: "key" } },
  environment_from: [{ secret: "store", prefix: "AWS_" }, { config_map: "settings" }],
  volumes: [{ claim: "runs", path: "/runs", sub_path: "a/b" }],
  pod_retries: 5,
  max_failed_shards: 2,
  ttl_seconds: 60,
  deadline_seconds: 3600,
  grace_seconds: 10,
}

describe("shardsJob", () => {
  it("creates an Indexed Job whose pods pass the restricted Pod Security Standard", () => {
    expect(shardsJob(full, work, { number: 1, namespace: "evaluations" })).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: "assay-mmlu-5-shot-3f9a0c11d2-1",
        namespace: "evaluations",
        labels: {
          team: "nlp",
          "app.kubernetes.io/name": "assay",
          "app.kubernetes.io/component": "shard",
          "app.kubernetes.io/instance": "eval-3f9a0c11d2aa",
          "kueue.x-k8s.io/queue-name": "team",
        },
        annotations: {
          "example.com/cost": "a: b # c",
          "assay/run": "s3://bucket/run",
          "assay/indexes": "0-7",
          "assay/work": expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
      spec: {
        completionMode: "Indexed",
        completions: 8,
        parallelism: 3,
        backoffLimitPerIndex: 5,
        maxFailedIndexes: 2,
        podReplacementPolicy: "Failed",
        podFailurePolicy: {
          rules: [
            { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
            { action: "Ignore", onExitCodes: { containerName: "assay", operator: "In", values: [130, 143] } },
          ],
        },
        ttlSecondsAfterFinished: 60,
        activeDeadlineSeconds: 3600,
        suspend: true,
        template: {
          metadata: {
            labels: {
              team: "nlp",
              "app.kubernetes.io/name": "assay",
              "app.kubernetes.io/component": "shard",
              "app.kubernetes.io/instance": "eval-3f9a0c11d2aa",
            },
            annotations: { "example.com/cost": "a: b # c" },
          },
          spec: {
            restartPolicy: "Never",
            serviceAccountName: "assay",
            priorityClassName: "low",
            nodeSelector: { pool: "cpu" },
            tolerations: [{ key: "spot", operator: "Exists", effect: "NoSchedule" }],
            imagePullSecrets: [{ name: "registry" }],
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            terminationGracePeriodSeconds: 10,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 65532,
              runAsGroup: 65532,
              fsGroup: 65532,
              fsGroupChangePolicy: "OnRootMismatch",
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "assay",
                image: full.image,
                imagePullPolicy: "IfNotPresent",
                resources: { requests: { cpu: 1, memory: "1Gi" }, limits: { memory: "2Gi" } },
                command: ["assay", "eval", "shard", "s3://bucket/run", "--key-host", "models.example"],
                env: [
                  { name: "HOST", value: "on" },
                  { name: "LEVEL", value: "1e3" },
                  { name: "MODEL_KEY", valueFrom: { secretKeyRef: { name: "models", key: "key" } } },
                ],
                envFrom: [{ prefix: "AWS_", secretRef: { name: "store" } }, { configMapRef: { name: "settings" } }],
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
                volumeMounts: [
                  { name: "volume-0", mountPath: "/runs", subPath: "a/b" },
                  { name: "temporary", mountPath: "/tmp" },
                ],
              },
            ],
            volumes: [
              { name: "volume-0", persistentVolumeClaim: { claimName: "runs" } },
              { name: "temporary", emptyDir: {} },
            ],
          },
        },
      },
    })
  })

  it("passes the schema of Kubernetes, with all fields of a profile and with the least", () => {
    for (const profile of [full, { image: "assay" }]) {
      expect(Value.Check(KubernetesProfile, profile)).toBe(true)
      for (const job of [shardsJob(profile, work, { number: 1 }), mergeJob(profile, work, { number: 1 })]) {
        new Job(structuredClone(job) as ConstructorParameters<typeof Job>[0]).validate()
      }
    }
    expect(() => new Job({ spec: { template: {}, completions: "8" } } as never).validate()).toThrow("completions")
  })

  it("uses the entry point of the image if there is no program", () => {
    const { spec } = shardsJob({ image: "assay" }, { ...work, program: [] }, { number: 1 })
    const [container] = (spec as { template: { spec: { containers: object[] } } }).template.spec.containers
    expect(container).toMatchObject({ args: ["eval", "shard", "s3://bucket/run", "--key-host", "models.example"] })
    expect(container).not.toHaveProperty("command")
  })

  it("has no security context if the cluster assigns one", () => {
    expect(JSON.stringify(shardsJob({ image: "assay", security: "none" }, work, { number: 1 }))).not.toContain(
      "securityContext",
    )
  })

  it("refuses a run in a folder that no writable volume has", () => {
    const run = "/runs/a"
    const of = (path: string, read_only?: boolean) => () =>
      shardsJob(
        { image: "assay", volumes: [{ claim: "c", path, ...(read_only === undefined ? {} : { read_only }) }] },
        { ...work, run },
        { number: 1 },
      )
    expect(of("/runs")).not.toThrow()
    expect(of("/runs/")).not.toThrow()
    expect(of("/")).not.toThrow()
    expect(of("/run")).toThrow("The run '/runs/a' is in no writable volume of the profile ('/run')")
    expect(of("/runs", true)).toThrow("no writable volume")
  })

  it("runs all shards up to the last one if the list of the missing ones is too long for a command", () => {
    const indexes = Array.from({ length: 25_000 }, (_, index) => 2 * index + 1)
    expect(submittedIndexes({ indexes })).toHaveLength(50_000)
    expect(JSON.stringify(shardsJob({ image: "assay" }, { ...work, indexes }, { number: 1 }))).not.toContain(
      "--indexes",
    )
  })

  it("gives two submissions the same digest of their work if only their shards differ", () => {
    const digestOf = (changes: Partial<ShardWork>, number = 1) =>
      shardsJob(full, { ...work, ...changes }, { number }).metadata.annotations["assay/work"]
    expect(digestOf({}, 2)).toBe(digestOf({}))
    expect(digestOf({ indexes: [1, 2] })).toBe(digestOf({}))
    expect(digestOf({ program: ["other"] })).not.toBe(digestOf({}))
    expect(digestOf({ options: [] })).not.toBe(digestOf({}))
  })
})

describe("KubernetesProfile", () => {
  it("accepts the profile of the guide, without the keys that all executors have", () => {
    const guide = readFileSync(new URL("../../../../docs/guides/schedulers.md", import.meta.url), "utf8")
    const [, section = ""] = guide.split("\n## Kubernetes\n")
    const [first = "", second = ""] = [...section.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => text)
    const { profiles } = parse(first) as { readonly profiles: Readonly<Record<string, Record<string, unknown>>> }
    const { executor, program, shards, at_once, ...own } = profiles["cluster"] ?? {}
    expect([executor, program, shards, at_once]).not.toContain(undefined)
    const profile = { ...own, ...(parse(second) as object) }
    expect([...Value.Errors(KubernetesProfile, profile)]).toEqual([])
    expect(Value.Check(KubernetesProfile, { ...profile, imgae: "a" })).toBe(false)
    expect(JSON.stringify(shardsJob(profile as KubernetesProfile, work, { number: 1 }))).toContain("/runs")
  })
})

describe("jobBaseName", () => {
  const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
  it("is a DNS label that leaves room for all that Kubernetes appends, whatever the run is called", () => {
    const names = [
      "mmlu",
      "",
      "-",
      "--a--",
      "a b'c$(x)",
      "../../etc",
      "ÄÖÜ",
      "模型",
      "A".repeat(500),
      `${"a-".repeat(60)}b`,
      "x\ny: z",
    ]
    for (const name of names) {
      for (const id of ["eval-3f9a0c11d2aa", "", "a b", "X".repeat(300)]) {
        const base = jobBaseName({ name, id })
        expect(`${shardsJobName(base, 9999)}-99999`).toMatch(label)
        expect(`${shardsJobName(base, 9999)}-99999-abcde`.length).toBeLessThanOrEqual(63)
        expect(`${mergeJobName(base, 9999)}-abcde`.length).toBeLessThanOrEqual(63)
        expect(base).not.toContain("--")
      }
    }
  })

  it("differs for two runs of one name, and names the submission", () => {
    expect(jobBaseName({ name: "a", id: "eval-00000000001" })).not.toBe(
      jobBaseName({ name: "a", id: "eval-10000000001" }),
    )
    expect(submissionNumber("assay-a", "assay-a-12")).toBe(12)
    expect(submissionNumber("assay-a", "assay-a-12-merge")).toBe(12)
    expect(submissionNumber("assay-a", "assay-a-b-12")).toBeUndefined()
  })
})

describe("renderManifests", () => {
  it("writes YAML that both versions of YAML read as the same Jobs, also with hostile texts", async () => {
    const hostile = [
      "on",
      "yes",
      "0o17",
      "017",
      "1e3",
      "1:30",
      "~",
      "null",
      "a: b # c",
      "- x",
      "'",
      '"',
      "a b'c$(x)",
      "ü\u2028\t\n---\nkind: Pod",
      "%",
      "@",
      "&a",
      "*a",
      "!!int 3",
    ]
    const options = hostile
    const annotations = Object.fromEntries(hostile.slice(0, 8).map((text) => [text.replaceAll(/\W/g, "x"), text]))
    const profile = {
      ...full,
      annotations,
      environment: Object.fromEntries(hostile.map((text, at) => [`V${at}`, text])),
    }
    const text = await renderManifests(profile, { ...work, options })
    expect(text).toMatch(/^# The shards of a run/)
    const expected = [
      shardsJob(profile, { ...work, options }, { number: 1, namespace: "evaluations" }),
      mergeJob(profile, { ...work, options }, { number: 1, namespace: "evaluations" }),
    ]
    for (const version of ["1.1", "1.2"] as const) {
      const documents = parseAllDocuments(text, { version })
      if (!Array.isArray(documents)) throw new Error("There are no documents.")
      expect(documents.map((document) => document.toJS() as unknown)).toEqual(expected)
    }
  })

  it("says how to compute the results if no merge is a part of it", async () => {
    const text = await renderManifests({ image: "assay" }, { ...work, merges: false })
    expect(text).toContain("# When all shards have ended, compute the results with `assay eval merge`.\n")
    expect(text.match(/^---/gm)).toHaveLength(1)
  })
})
