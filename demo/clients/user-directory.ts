import { outsideWorld } from "./addresses";
import { request } from "./http";

interface DirectoryUser {
  id: string;
  name: string;
  email: string;
}

/** All users, page by page. */
export async function fetchUsers(signal: AbortSignal): Promise<DirectoryUser[]> {
  const users: DirectoryUser[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const response = await request("user directory", `${outsideWorld().sandboxUrl}/users?page=${page}`, { signal });
    const answer = (await response.json()) as { users: DirectoryUser[]; nextPage: number | null };
    users.push(...answer.users);
    page = answer.nextPage ?? null;
  }
  return users;
}
