import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local on a free port of the loopback address, which it prints once it answers. It has no option for the address,
 * and would listen on every one of the machine.
 */
final class Loopback {
  public static void main(String[] options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("-disableTelemetry");
    DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments.toArray(String[]::new));
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    var connector = (ServerConnector) ((Server) field.get(dynamodb)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    dynamodb.start();
    System.out.println("http://127.0.0.1:" + connector.getLocalPort());
    dynamodb.join();
  }
}
