import type { ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { PageHeader } from "../../../components/page-header.tsx"

/** Shows how tokens are managed: only with the command on the server's machine, because no route can create a token. */
export function TokensPage(): ReactElement {
  return (
    <>
      <PageHeader title="Tokens">
        Tokens are managed on the machine of the server. A stolen session therefore cannot create one.
      </PageHeader>
      <div className="columns">
        <section className="card">
          <h2>Create a token</h2>
          <p>The token is printed once. The server stores only its digest, and knows the token at once.</p>
          <CodeBlock text="assay token create laptop --role admin --workspace '*'" label="command for an admin" />
          <CodeBlock
            text="assay token create ci --role editor --workspace research --expires 90d"
            label="command for an editor"
          />
        </section>
        <section className="card">
          <h2>List and revoke tokens</h2>
          <p>A revoked token stops working at once, with every session that it opened.</p>
          <CodeBlock text="assay token list" label="command that lists tokens" />
          <CodeBlock text="assay token revoke token-3QJmnh8Y1kGqvS4cQKFJ2b" label="command that revokes a token" />
        </section>
        <section className="card">
          <h2>Roles</h2>
          <dl className="facts">
            <dt>viewer</dt>
            <dd>reads</dd>
            <dt>editor</dt>
            <dd>also writes, launches jobs, and uses secrets by reference</dd>
            <dt>admin</dt>
            <dd>also manages secrets, workspaces and configurations</dd>
          </dl>
        </section>
        <section className="card">
          <h2>Ask for tokens</h2>
          <p>
            A server asks for tokens if it was started with this setting. Without it, it answers to its own machine
            only.
          </p>
          <CodeBlock text="ASSAY_AUTH=tokens npm start" label="command that starts the server with tokens" />
        </section>
      </div>
    </>
  )
}
