/** Resolves as the promise does, or to `late` if that takes longer: what hangs is not waited for. */
export async function within<Answer, Late>(answer: Promise<Answer>, ms: number, late: Late): Promise<Answer | Late> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
