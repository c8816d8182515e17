import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];

/** The description of this API as its handlers declare it. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Holdfast')
    .setDescription(
      'Durable workflows over HTTP. Every request carries an API key; every refusal has the same shape.',
    )
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  for (const [path, methods] of Object.entries(document.paths)) declareParameters(path, methods);
  return document;
}

/** The guard reads workspaces from the path itself, so no handler declares them. */
function declareParameters(path: string, { get, post, put, patch, delete: remove }: PathItem): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    for (const operation of [get, post, put, patch, remove]) {
      if (!operation || operation.parameters?.some((one) => 'name' in one && one.name === name)) continue;
      operation.parameters = [
        { name, in: 'path', required: true, schema: { type: 'string' } },
        ...(operation.parameters ?? []),
      ];
    }
  }
}
