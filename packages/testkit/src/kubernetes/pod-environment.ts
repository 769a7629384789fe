import type { ApiPod, PodContainer, PodVariable } from "./kubernetes-objects.ts"

/** The objects that containers can refer to. */
export interface ClusterValues {
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Returns the variables of a container. @throws Error in the kubelet's words, if a secret or config map is missing */
export function podEnvironment(
  pod: ApiPod,
  container: PodContainer,
  values: ClusterValues,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const { prefix = "", secretRef, configMapRef } of container.envFrom ?? []) {
    const kind = secretRef === undefined ? "configmap" : "secret"
    const name = (secretRef ?? configMapRef)?.name ?? ""
    const entries = (secretRef === undefined ? values.configMaps : values.secrets)[name]
    if (entries === undefined) throw new Error(`${kind} "${name}" not found`)
    for (const [key, value] of Object.entries(entries)) env[`${prefix}${key}`] = value
  }
  for (const variable of container.env ?? []) env[variable.name] = valueOf(variable, pod, { values, env })
  return env
}

function valueOf(
  { name, value = "", valueFrom }: PodVariable,
  pod: ApiPod,
  { values, env }: { readonly values: ClusterValues; readonly env: Readonly<Record<string, string>> },
): string {
  if (valueFrom?.secretKeyRef !== undefined) {
    const { name: secret, key } = valueFrom.secretKeyRef
    const entries = values.secrets[secret]
    if (entries === undefined) throw new Error(`secret "${secret}" not found`)
    const found = entries[key]
    if (found === undefined) throw new Error(`couldn't find key ${key} in Secret ${pod.metadata.namespace}/${secret}`)
    return found
  }
  const [, annotation] = /^metadata\.annotations\['([^']+)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? "") ?? []
  if (annotation !== undefined) return pod.metadata.annotations[annotation] ?? ""
  if (valueFrom !== undefined) throw new Error(`the source of the variable ${name} is not supported`)
  return expand(value, env)
}

/**
 * Replaces `$(NAME)` as the kubelet does: `$$` is `$`, and a reference to an unknown variable stays as it is.
 * https://github.com/kubernetes/kubernetes/blob/v1.34.0/third_party/forked/golang/expansion/expand.go
 */
export function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (all: string, name: string | undefined) => {
    if (name === undefined) return "$"
    return Object.hasOwn(env, name) ? (env[name] ?? "") : all
  })
}
