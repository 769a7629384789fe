/** Returns the answer to a request about the API itself, which clients such as kubectl send first. Undefined for other paths. */
export function discoveryOf(path: string): object | undefined {
  return Object.hasOwn(DISCOVERY, path) ? DISCOVERY[path] : undefined
}

const BATCH = { groupVersion: "batch/v1", version: "v1" }
const resource = (name: string, kind: string, verbs: readonly string[]) => ({
  name,
  singularName: name.includes("/") ? "" : kind.toLowerCase(),
  namespaced: true,
  kind,
  verbs,
})

const DISCOVERY: Readonly<Record<string, object>> = {
  "/version": { major: "1", minor: "34", gitVersion: "v1.34.0" },
  "/api": { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] },
  "/apis": {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [{ name: "batch", versions: [BATCH], preferredVersion: BATCH }],
  },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [resource("pods", "Pod", ["delete", "get", "list"]), resource("pods/log", "Pod", ["get"])],
  },
  "/apis/batch/v1": {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "batch/v1",
    resources: [{ ...resource("jobs", "Job", ["create", "delete", "get", "list"]), categories: ["all"] }],
  },
}
