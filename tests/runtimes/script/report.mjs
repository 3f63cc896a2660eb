/** Sends the server what came out, or the error. */
export async function report(work) {
  let body;
  try {
    body = await work();
  } catch (error) {
    body = String(error);
  }
  await fetch('/report', { method: 'POST', body });
}
