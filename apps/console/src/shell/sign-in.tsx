import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import type { Session } from "@assay/schemas"
import { useState, type ReactElement } from "react"
import { SESSION_KEY, useSession } from "../api/use-session.ts"
import { useClient } from "../api/use-client.ts"
import { CodeBlock } from "../components/code-block.tsx"
import { ErrorCard } from "../components/failures/error-card.tsx"
import { PageHeader } from "../components/page-header.tsx"

export interface SignInProps {
  /** Whether the user was signed in before. */
  readonly hasEnded: boolean
}

/** Asks to sign in: at the identity provider, if the server has one, or with a token of the server. The address stays. */
export function SignIn({ hasEnded }: SignInProps): ReactElement {
  const provider = useSession()?.provider ?? null
  return (
    <>
      <PageHeader title="Sign in">
        {hasEnded ? "Your session has ended. After the next sign-in, this page shows what it showed." : null}
      </PageHeader>
      {provider === null ? null : <ProviderSignIn provider={provider} hasEnded={hasEnded} />}
      <TokenSignIn isFirst={provider === null} />
    </>
  )
}

interface ProviderSignInProps extends SignInProps {
  readonly provider: NonNullable<Session["provider"]>
}

/** Leads to the identity provider, which leads back to this address. */
function ProviderSignIn({ provider: { host, has_sign_out }, hasEnded }: ProviderSignInProps): ReactElement {
  const here = useRouterState({ select: ({ location }) => location.href })
  return (
    <div className="card sign-in">
      <p className="actions">
        <a className="button primary" href={`/session/oidc?return=${encodeURIComponent(here)}`}>
          Sign in with {host}
        </a>
      </p>
      {hasEnded && has_sign_out ? (
        <p className="soft">
          You may still be signed in there. <a href="/session/oidc/end">Sign out of {host}, too</a>
        </p>
      ) : null}
    </div>
  )
}

/** Asks for a token, which the server exchanges for a cookie. Nothing of it stays in this page. */
function TokenSignIn({ isFirst }: { readonly isFirst: boolean }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [token, setToken] = useState("")
  const signIn = useMutation({
    mutationFn: () => client.service.signIn({ token: token.trim() }),
    onSuccess: (session) => {
      setToken("")
      // The next user may see less than the one before.
      queries.removeQueries({ type: "inactive" })
      queries.setQueryData(SESSION_KEY, session)
    },
  })
  return (
    <form
      className="card sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <label className="field">
        Token
        <input
          type="password"
          required
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      </label>
      {signIn.error === null ? null : <ErrorCard error={signIn.error} />}
      <p className="actions">
        <button type="submit" className={isFirst ? "primary" : undefined} disabled={signIn.isPending}>
          {isFirst ? "Sign in" : "Sign in with a token"}
        </button>
      </p>
      <p className="soft">A token is made on the machine of the server:</p>
      <CodeBlock label="command" text="assay token create laptop --role editor --workspace default" />
    </form>
  )
}
