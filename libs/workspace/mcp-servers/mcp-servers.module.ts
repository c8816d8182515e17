import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { McpServer } from './mcp-server.entity.ts';
import { McpServers } from './mcp-servers.ts';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([McpServer])],
  providers: [McpServers],
  exports: [McpServers],
})
export class McpServersModule {}
