import type { Fileset } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Time } from "../../components/times/time.tsx"

/** Renders the newest filesets as links. */
export function RecentFilesets({ filesets }: { readonly filesets: readonly Fileset[] }): ReactElement {
  return (
    <div className="card">
      <table className="figures recent">
        <thead>
          <tr>
            <th scope="col">Fileset</th>
            <th scope="col" className="wide">
              Purpose
            </th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {filesets.map(({ id, workspace, name, purpose, created_at }) => (
            <tr key={id}>
              <td className="name">
                <Link to={`/filesets/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}`}>
                  {workspace}/{name}
                </Link>
              </td>
              <td className="wide">{purpose}</td>
              <td>
                <Time at={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
