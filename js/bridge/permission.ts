// Whether the browser refuses to reach programs on this machine (Local Network Access).

/** Newer and older names of the permission. */
const NAMES = ["loopback-network", "local-network-access"];

/** Whether the person, or a policy, has refused it; `false` where nobody can tell. */
export async function isDenied(): Promise<boolean> {
  for (const name of NAMES) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state === "denied";
    } catch {
      // This browser has another name for it, or none.
    }
  }
  return false;
}
