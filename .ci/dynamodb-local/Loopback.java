import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
    String address = "http://127.0.0.1:" + connector.getLocalPort();
    warmUp(address);
    System.out.println(address);
    dynamodb.join();
  }

  /** The first table takes seconds, longer than the service waits for a reply. */
  private static void warmUp(String address) throws Exception {
    call(address, "CreateTable", """
        {"TableName": "warm-up", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}""");
    call(address, "TransactWriteItems", """
        {"TransactItems": [{"Put": {"TableName": "warm-up", "Item": {"pk": {"S": "1"}}}}]}""");
    call(address, "DeleteTable", """
        {"TableName": "warm-up"}""");
  }

  private static void call(String address, String operation, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address))
        .header("Content-Type", "application/x-amz-json-1.0")
        .header("X-Amz-Target", "DynamoDB_20120810." + operation)
        // It checks no signature, but that there is one.
        .header("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
            + "SignedHeaders=host, Signature=none")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (reply.statusCode() != 200) throw new IllegalStateException(operation + ": " + reply.body());
  }
}
