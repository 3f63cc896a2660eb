/** Sends the result of the work, or the error, to the server. */
export async function report(work) {
  let body;
  try {
    body = await work();
  } catch (error) {
    body = String(error);
  }
  await fetch('/report', { method: 'POST', body });
}
