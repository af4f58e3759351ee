import { mayRecord } from "../../actions/assign";
import { listPeople } from "../../store/access/people";
import type { Db } from "../../store/db";

/** Who can be assigned the compensations of this workflow. */
export async function readAssignees(db: Db, workflow: string, inDemo: boolean): Promise<string[]> {
  const people = await listPeople(db, inDemo);
  return people.filter((person) => person.disabled_at === null && mayRecord(person, workflow)).map(({ name }) => name);
}
