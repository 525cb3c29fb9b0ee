// A client of the game day's Temporal, open while a piece of work needs it.

export async function withTemporal({ temporalAddress: address, temporalNamespace: namespace }, work) {
  const { Client, Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}
