import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createTestCertificates } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { startTestCluster } from "../../testing/start-test-cluster.ts"
import { createApiClient } from "./api-client.ts"
import { openCluster, type OpenClusterOptions } from "./open-cluster.ts"
import type { ExecutorPorts } from "../../executor.ts"

const never = new AbortController().signal

async function listWith(ports: ExecutorPorts, options: OpenClusterOptions = { context: "test" }): Promise<string> {
  try {
    const cluster = await openCluster(ports, options)
    const api = createApiClient(cluster, cluster.namespace, { sleep: () => Promise.resolve() })
    const jobs = await api.listJobs("a=b", never)
    return `${cluster.namespace}: ${jobs.length} jobs`
  } catch (error) {
    return (error as Error).message
  }
}

describe("openCluster", () => {
  it("connects with the certificate authority, token and namespace of a context", async () => {
    await using test = await startTestCluster()
    expect(await listWith(test.ports)).toBe("evaluations: 0 jobs")
  })

  it("reads ~/.kube/config if KUBECONFIG is not set", async () => {
    await using test = await startTestCluster()
    await mkdir(join(test.folder, ".kube"))
    const text = await readFile(test.kubeconfig)
    await writeFile(join(test.folder, ".kube", "config"), text)
    expect(await listWith({ ...test.ports, env: { HOME: test.folder } })).toBe("evaluations: 0 jobs")
  })

  it("merges the files of KUBECONFIG, of which the first one that sets a value wins", async () => {
    await using test = await startTestCluster()
    const first = join(test.folder, "first")
    await writeFile(first, 'current-context: test\nusers: [{ name: other, user: { token: "no" } }]\n')
    const env = { KUBECONFIG: `${first}:${join(test.folder, "missing")}:${test.kubeconfig}` }
    expect(await listWith({ ...test.ports, env }, { context: undefined })).toBe("evaluations: 0 jobs")
  })

  it("reads files of KUBECONFIG that have several entries of one name", async () => {
    await using test = await startTestCluster()
    const second = join(test.folder, "second")
    await writeFile(second, "users: [{ name: b, user: {} }, { name: b, user: {} }]\n")
    const env = { KUBECONFIG: `${test.kubeconfig}:${second}` }
    expect(await listWith({ ...test.ports, env })).toBe("evaluations: 0 jobs")
  })

  it("refuses a namespace that YAML reads as a number, as kubectl does", async () => {
    await using test = await startTestCluster()
    const text = await readFile(test.kubeconfig, "utf8")
    await writeFile(test.kubeconfig, text.replace("namespace: evaluations", "namespace: 2024"))
    expect(await listWith(test.ports)).toBe("The namespace of the kubeconfig is not a text: put it in quotes.")
  })

  it("sends requests through the proxy of a kubeconfig, also those without TLS", async () => {
    await using test = await startTestCluster({ hasTls: false })
    const { port } = new URL(test.cluster.url)
    const passed: string[] = []
    const proxy = createServer((asked, answer) => {
      passed.push(asked.url ?? "")
      const { pathname, search } = new URL(asked.url ?? "")
      const options = { port, path: `${pathname}${search}`, headers: asked.headers }
      request(options, (from) => void from.pipe(answer.writeHead(from.statusCode ?? 0))).end()
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const text = await readFile(test.kubeconfig, "utf8")
    const server = `server: ${test.cluster.url}`
    await writeFile(
      test.kubeconfig,
      text.replace(server, `${server}\n      insecure-skip-tls-verify: true\n      proxy-url: ${address}`),
    )
    expect(await listWith(test.ports)).toBe("evaluations: 0 jobs")
    expect(passed).toEqual([expect.stringContaining("/apis/batch/v1/namespaces/evaluations/jobs")])
    proxy.closeAllConnections()
    proxy.close()
  })

  it("runs the command of a kubeconfig that prints credentials", async () => {
    await using test = await startTestCluster()
    const command = join(test.folder, "login")
    const credential = {
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { token: test.token },
    }
    await writeFile(command, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(credential)}\nEND\n`)
    await chmod(command, 0o755)
    await changeUser(
      test.kubeconfig,
      `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: "${command}" } }`,
    )
    expect(await listWith(test.ports)).toBe("evaluations: 0 jobs")
  })

  it("does not wait for a command of credentials when it is aborted", async () => {
    await using test = await startTestCluster()
    const command = join(test.folder, "login")
    await writeFile(command, "#!/bin/sh\nexec sleep 5\n")
    await chmod(command, 0o755)
    await changeUser(
      test.kubeconfig,
      `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: "${command}" } }`,
    )
    const cluster = await openCluster(test.ports, { context: "test" })
    const start = performance.now()
    const signal = AbortSignal.timeout(100)
    await expect(cluster.send({ method: "GET", path: "/version" }, signal)).rejects.toThrow("timeout")
    expect(performance.now() - start).toBeLessThan(4000)
  })

  it("does not show what a command of credentials prints if it prints something else", async () => {
    await using test = await startTestCluster()
    const command = join(test.folder, "login")
    await writeFile(command, "#!/bin/sh\necho s3cr3t\n")
    await chmod(command, 0o755)
    await changeUser(
      test.kubeconfig,
      `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: "${command}" } }`,
    )
    const message = await listWith(test.ports)
    expect(message).toContain("The credentials of the kubeconfig can't be read")
    expect(message).not.toContain("s3cr3t")
  })

  it("shows what a command of credentials says if it fails", async () => {
    await using test = await startTestCluster()
    const command = join(test.folder, "login")
    await writeFile(command, "#!/bin/sh\necho s3cr3t\necho The session has expired. >&2\nexit 1\n")
    await chmod(command, 0o755)
    await changeUser(
      test.kubeconfig,
      `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: "${command}" } }`,
    )
    const message = await listWith(test.ports)
    expect(message).toContain("can't be read: The session has expired")
    expect(message).not.toContain("s3cr3t")
  })

  it("uses the service account of the pod if there is no kubeconfig", async () => {
    const certificates = createTestCertificates()
    await using test = await startTestCluster({ certificate: certificates.leafOnly })
    const accountFolder = join(test.folder, "account")
    await mkdir(accountFolder)
    await writeFile(join(accountFolder, "ca.crt"), certificates.ca)
    await writeFile(join(accountFolder, "token"), test.token)
    await writeFile(join(accountFolder, "namespace"), "evaluations\n")
    const { hostname, port } = new URL(test.cluster.url)
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
    expect(await listWith({ ...test.ports, env }, { context: undefined, accountFolder })).toBe("evaluations: 0 jobs")
  })

  it("refuses a server whose certificate no authority of the kubeconfig has signed", async () => {
    await using test = await startTestCluster({ certificate: createTestCertificates().selfSigned })
    expect(await listWith(test.ports)).toMatch(/can't be reached .*certificate/)
  })

  it("says which contexts there are if there is no such context", async () => {
    await using test = await startTestCluster()
    expect(await listWith(test.ports, { context: "prod" })).toBe(
      "The kubeconfig has no context 'prod', but 'test', 'other'.",
    )
  })

  it("says that there is no kubeconfig", async () => {
    await using test = await startTestCluster()
    const message = await listWith({ ...test.ports, env: { HOME: "/nonexistent" } }, { context: undefined })
    expect(message).toBe(
      "There is no kubeconfig ('/nonexistent/.kube/config'), and this is no pod with a service account: set KUBECONFIG to the file that kubectl uses.",
    )
  })

  it("shows nothing of a kubeconfig that can't be read", async () => {
    await using test = await startTestCluster()
    for (const text of ['users:\n  - token: "secret-in-the-file\n', "[secret-in-the-file", "secret-in-the-file", ""]) {
      await writeFile(test.kubeconfig, text)
      const message = await listWith(test.ports)
      expect(message).toMatch(/kubeconfig/)
      expect(message).not.toContain("secret-in-the-file")
    }
  })

  it("does not send a token to a server without TLS", async () => {
    await using test = await startTestCluster()
    const text = `clusters: [{ name: c, cluster: { server: "http://127.0.0.1:9" } }]
users: [{ name: u, user: { token: x } }]
contexts: [{ name: test, context: { cluster: c, user: u } }]`
    await writeFile(test.kubeconfig, text)
    expect(await listWith(test.ports)).toContain("shows the token to everyone in between")
  })
})

async function changeUser(kubeconfig: string, user: string): Promise<void> {
  const text = await readFile(kubeconfig, "utf8")
  await writeFile(kubeconfig, text.replace(/user: \{ token.*\}/, `user: ${user}`))
}
