import { at, isFields, listAt, textAt, type Kustomization, type Manifest } from "./read-manifests.ts"

const idOf = ({ apiVersion, kind, name }: Manifest) => `${apiVersion} ${kind} '${name}'`

/** Secrets that the operator creates, as deploy/README.md says. */
export const SECRETS = ["assay", "assay-tokens"] as const

/** Returns the pod template of a manifest that has one. */
export function podOf({ fields }: Manifest): unknown {
  return at(fields, "spec", "template")
}

/** Returns the patches without a target, and the containers and volumes of patches that the target does not have. */
export function patchFaults({ resources, patches }: Kustomization): readonly string[] {
  return patches.flatMap((patch) => {
    const target = resources.find((one) => idOf(one) === idOf(patch))
    if (target === undefined) return [`${patch.file}: nothing has the id ${idOf(patch)}`]
    return ["containers", "volumes"].flatMap((list) => {
      const names = new Set(listAt(podOf(target), "spec", list).map((one) => textAt(one, "name")))
      return listAt(podOf(patch), "spec", list)
        .map((one) => textAt(one, "name"))
        .filter((name) => !names.has(name))
        .map((name) => `${patch.file}: ${idOf(patch)} has no '${name}' in ${list}`)
    })
  })
}

/** Returns the names in manifests that lead to no manifest, no pod, no volume and no port. */
export function referenceFaults(resources: readonly Manifest[]): readonly string[] {
  const has = (kind: string, name: unknown) => resources.some((one) => one.kind === kind && one.name === name)
  const isSecret = (name: unknown) => SECRETS.some((one) => one === name)
  const labels = resources.map((one) => at(podOf(one), "metadata", "labels")).filter(isFields)
  const selectsPods = (selector: unknown) =>
    isFields(selector) && labels.some((pod) => Object.entries(selector).every(([label, value]) => pod[label] === value))
  return resources.flatMap((one) => {
    const faults: string[] = []
    const check = (holds: boolean, what: string) => {
      if (!holds) faults.push(`${one.file}: ${idOf(one)}: ${what}`)
    }
    const { spec } = one.fields
    const scaled = textAt(spec, "scaleTargetRef", "name")
    if (scaled !== "") check(has("Deployment", scaled), `scales '${scaled}', which does not exist`)
    const selector =
      at(spec, "selector", "matchLabels") ?? at(spec, "podSelector", "matchLabels") ?? at(spec, "selector")
    if (selector !== undefined) check(selectsPods(selector), "its selector selects no pod")
    for (const { name } of [...listAt(spec, "secretTargetRef")].filter(isFields))
      check(isSecret(name), `there is no Secret '${String(name)}'`)
    for (const trigger of listAt(spec, "triggers")) {
      const name = at(trigger, "authenticationRef", "name")
      check(has("TriggerAuthentication", name), `there is no TriggerAuthentication '${String(name)}'`)
    }
    const pod = at(podOf(one), "spec")
    const volumes = listAt(pod, "volumes")
    for (const volume of volumes) {
      const claim = textAt(volume, "persistentVolumeClaim", "claimName")
      const secret = textAt(volume, "secret", "secretName")
      if (claim !== "") check(has("PersistentVolumeClaim", claim), `there is no volume claim '${claim}'`)
      if (secret !== "") check(isSecret(secret), `there is no Secret '${secret}'`)
    }
    for (const container of listAt(pod, "containers")) {
      for (const source of listAt(container, "envFrom")) {
        const map = textAt(source, "configMapRef", "name")
        const secret = textAt(source, "secretRef", "name")
        check(has("ConfigMap", map) || isSecret(secret), `there is no '${map === "" ? secret : map}' of variables`)
      }
      for (const mount of listAt(container, "volumeMounts")) {
        const name = at(mount, "name")
        check(
          volumes.some((volume) => at(volume, "name") === name),
          `mounts '${String(name)}', which is not a volume`,
        )
      }
    }
    return faults
  })
}
