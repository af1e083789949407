// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A deployer with CREATE2
/// @notice Deploys any code to an address that depends on the code and a salt only.
contract Create2Deployer {
    /// @notice No contract came out of the code.
    error DeploymentFailed();

    receive() external payable {}

    /// @notice Deploys `code` with the given value and salt.
    function deploy(uint256 value, bytes32 salt, bytes memory code) external {
        address deployed;
        assembly ("memory-safe") {
            deployed := create2(value, add(code, 32), mload(code), salt)
        }
        if (deployed == address(0)) revert DeploymentFailed();
    }

    /// @notice Where `deploy` puts code of this hash.
    function computeAddress(bytes32 salt, bytes32 codeHash) external view returns (address) {
        return computeAddressWithDeployer(salt, codeHash, address(this));
    }

    /// @notice Where another deployer would put it.
    function computeAddressWithDeployer(bytes32 salt, bytes32 codeHash, address deployer)
        public
        pure
        returns (address)
    {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), deployer, salt, codeHash)))));
    }
}
